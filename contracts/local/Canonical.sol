// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Addresses on OP Mainnet (https://docs.farcaster.xyz/reference/contracts/deployments). The doubles have the same ones
// on the local chain, so they need no constructor arguments, and their code can be put there as it is.
address constant ID_REGISTRY = 0x00000000Fc6c5F01Fc30151999387Bb99A9f489b;
address constant ID_GATEWAY = 0x00000000Fc25870C6eD6b6c7E41Fb078b7656f69;
address constant KEY_REGISTRY = 0x00000000Fc1237824fb747aBDE0FF18990E59b7e;
address constant KEY_GATEWAY = 0x00000000fC56947c7E7183f8Ca4B62398CaAdf0B;
address constant STORAGE_REGISTRY = 0x00000000fcCe7f938e7aE6D3c335bD6a1a7c593D;
address constant SIGNED_KEY_REQUEST_VALIDATOR = 0x00000000FC700472606ED4fA22623Acf62c60553;

// Owner and migrator of all doubles: `LOCAL_TOKEN_DEPLOYER` of src/onchain/local/token.ts, which anvil impersonates.
address constant LOCAL_OWNER = 0x4c6F63616C20636861696e20746F6B656e730000;

interface IIdRegistry {
    function idOf(address owner) external view returns (uint256);
    function register(address to, address recovery) external returns (uint256 fid);
    function verifyFidSignature(address custody, uint256 fid, bytes32 digest, bytes calldata sig)
        external
        view
        returns (bool);
}

interface IIdGateway {
    function price(uint256 extraStorage) external view returns (uint256);
    function registerFor(address to, address recovery, uint256 deadline, bytes calldata sig, uint256 extraStorage)
        external
        payable
        returns (uint256 fid, uint256 overpayment);
}

interface IKeyRegistry {
    function add(
        address fidOwner,
        uint32 keyType,
        bytes calldata key,
        uint8 metadataType,
        bytes calldata metadata
    ) external;
}

interface IKeyGateway {
    function addFor(
        address fidOwner,
        uint32 keyType,
        bytes calldata key,
        uint8 metadataType,
        bytes calldata metadata,
        uint256 deadline,
        bytes calldata sig
    ) external;
}

interface IStorageRegistry {
    function unitPrice() external view returns (uint256);
    function price(uint256 units) external view returns (uint256);
    function rent(uint256 fid, uint256 units) external payable returns (uint256 overpayment);
}

interface IMetadataValidator {
    function validate(uint256 fid, bytes calldata key, bytes calldata metadata) external view returns (bool);
}
