// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/**
 * An address with code may sign with its key, too, as EIP-7702 accounts do. OpenZeppelin 5 asks only the code of such an
 * address; OpenZeppelin 4, which the real registries are built with, tries the key first.
 */
function isSignedBy(address signer, bytes32 digest, bytes memory sig) view returns (bool) {
    (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digest, sig);
    if (problem == ECDSA.RecoverError.NoError && recovered == signer) return true;
    return SignatureChecker.isValidERC1271SignatureNow(signer, digest, sig);
}
