// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IKeyRegistry, KEY_REGISTRY} from "./Canonical.sol";
import {OwnedPausing} from "./OwnedPausing.sol";
import {SignedAction} from "./SignedAction.sol";

/**
 * @title The KeyGateway of the local chain
 * @notice Adds keys to accounts, for their owners or for others with an owner's signature.
 */
contract KeyGateway is OwnedPausing, SignedAction {
    string public constant VERSION = "2023.11.15";
    bytes32 public constant ADD_TYPEHASH = keccak256(
        "Add(address owner,uint32 keyType,bytes key,uint8 metadataType,bytes metadata,uint256 nonce,uint256 deadline)"
    );
    IKeyRegistry public constant keyRegistry = IKeyRegistry(KEY_REGISTRY);

    function add(uint32 keyType, bytes calldata key, uint8 metadataType, bytes calldata metadata)
        external
        whenNotPaused
    {
        keyRegistry.add(msg.sender, keyType, key, metadataType, metadata);
    }

    function addFor(
        address fidOwner,
        uint32 keyType,
        bytes calldata key,
        uint8 metadataType,
        bytes calldata metadata,
        uint256 deadline,
        bytes calldata sig
    ) external whenNotPaused {
        bytes32 structHash = keccak256(
            abi.encode(
                ADD_TYPEHASH,
                fidOwner,
                keyType,
                keccak256(key),
                metadataType,
                keccak256(metadata),
                _useNonce(fidOwner),
                deadline
            )
        );
        _requireSignature(structHash, fidOwner, deadline, sig);
        keyRegistry.add(fidOwner, keyType, key, metadataType, metadata);
    }

    function _domainName() internal pure override returns (string memory) {
        return "Farcaster KeyGateway";
    }
}
