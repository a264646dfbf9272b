// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ContractWallet} from "./ContractWallet.sol";

/// Makes wallets at addresses that are known before (ERC-6492).
contract ContractWalletFactory {
    function deploy(address owner) external returns (ContractWallet) {
        return new ContractWallet{salt: 0}(owner);
    }

    function addressOf(address owner) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(ContractWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), code)))));
    }
}
