// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {isSignedBy} from "./Signature.sol";
import {TypedData} from "./TypedData.sol";

/// What others may send for an account that signed it: each signature holds until its deadline, and once.
abstract contract SignedAction is TypedData, Nonces {
    error InvalidSignature();
    error SignatureExpired();

    /// Invalidates what the caller signed with its current nonce.
    function useNonce() external returns (uint256) {
        return _useNonce(msg.sender);
    }

    function _requireSignature(bytes32 structHash, address signer, uint256 deadline, bytes memory sig) internal view {
        if (block.timestamp > deadline) revert SignatureExpired();
        if (!isSignedBy(signer, hashTypedDataV4(structHash), sig)) revert InvalidSignature();
    }
}
