// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ID_GATEWAY, IIdGateway, IKeyGateway, KEY_GATEWAY} from "./Canonical.sol";
import {Payout} from "./Payout.sol";

/**
 * @title The Bundler of the local chain
 * @notice Registers an account, rents its storage and adds its keys in one transaction.
 */
contract Bundler is Payout {
    struct RegistrationParams {
        address to;
        address recovery;
        uint256 deadline;
        bytes sig;
    }

    struct SignerParams {
        uint32 keyType;
        bytes key;
        uint8 metadataType;
        bytes metadata;
        uint256 deadline;
        bytes sig;
    }

    error Unauthorized();

    string public constant VERSION = "2023.11.15";
    IIdGateway public constant idGateway = IIdGateway(ID_GATEWAY);
    IKeyGateway public constant keyGateway = IKeyGateway(KEY_GATEWAY);

    /// The gateway gives back what was paid too much.
    receive() external payable {
        if (msg.sender != address(idGateway)) revert Unauthorized();
    }

    /// @return wei for the first unit of storage and the extra ones
    function price(uint256 extraStorage) external view returns (uint256) {
        return idGateway.price(extraStorage);
    }

    function register(RegistrationParams calldata account, SignerParams[] calldata signers, uint256 extraStorage)
        external
        payable
        returns (uint256 fid)
    {
        uint256 overpayment;
        (fid, overpayment) = idGateway.registerFor{value: msg.value}(
            account.to, account.recovery, account.deadline, account.sig, extraStorage
        );
        for (uint256 i; i < signers.length; ++i) {
            SignerParams calldata one = signers[i];
            keyGateway.addFor(
                account.to, one.keyType, one.key, one.metadataType, one.metadata, one.deadline, one.sig
            );
        }
        _sendNative(msg.sender, overpayment);
    }
}
