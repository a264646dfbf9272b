// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ID_REGISTRY, IIdRegistry} from "./Canonical.sol";
import {TypedData} from "./TypedData.sol";

/**
 * @title The validator of key metadata on the local chain
 * @notice Metadata of type 1 is the signature of the app that asks an account to add its key.
 */
contract SignedKeyRequestValidator is TypedData {
    struct SignedKeyRequestMetadata {
        uint256 requestFid;
        address requestSigner;
        bytes signature;
        uint256 deadline;
    }

    string public constant VERSION = "2023.08.23";
    bytes32 public constant METADATA_TYPEHASH =
        keccak256("SignedKeyRequest(uint256 requestFid,bytes key,uint256 deadline)");
    IIdRegistry public constant idRegistry = IIdRegistry(ID_REGISTRY);

    /// The first parameter, the account that adds the key, does not count. Metadata of another shape reverts.
    function validate(uint256, bytes calldata key, bytes calldata metadata) external view returns (bool) {
        SignedKeyRequestMetadata memory request = abi.decode(metadata, (SignedKeyRequestMetadata));
        if (idRegistry.idOf(request.requestSigner) != request.requestFid) return false;
        if (block.timestamp > request.deadline || key.length != 32) return false;
        bytes32 structHash =
            keccak256(abi.encode(METADATA_TYPEHASH, request.requestFid, keccak256(key), request.deadline));
        return idRegistry.verifyFidSignature(
            request.requestSigner, request.requestFid, hashTypedDataV4(structHash), request.signature
        );
    }

    function encodeMetadata(SignedKeyRequestMetadata calldata metadata) external pure returns (bytes memory) {
        return abi.encode(metadata);
    }

    function _domainName() internal pure override returns (string memory) {
        return "Farcaster SignedKeyRequestValidator";
    }
}
