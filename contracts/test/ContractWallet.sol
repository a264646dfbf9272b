// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A contract wallet of one owner, whose signatures count on its own chain alone, as those of real ones do.
contract ContractWallet {
    address public immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    /// What the owner signs for a hash that the wallet is to sign.
    function boundHash(bytes32 hash) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), hash));
    }

    /// ERC-1271. The signature is ABI-encoded: the number of the owner, always 0, and its signature.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (uint256 index, bytes memory inner) = abi.decode(signature, (uint256, bytes));
        require(index == 0, "no such owner");
        return ECDSA.recover(boundHash(hash), inner) == OWNER ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
