// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// EIP-712 hashes as on OP Mainnet: the chain id of the domain is 10, whatever the id of the local chain.
abstract contract TypedData {
    uint256 private constant SIGNED_CHAIN_ID = 10;
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    function domainSeparatorV4() public view returns (bytes32) {
        bytes32 name = keccak256(bytes(_domainName()));
        return keccak256(abi.encode(DOMAIN_TYPEHASH, name, keccak256("1"), SIGNED_CHAIN_ID, address(this)));
    }

    function hashTypedDataV4(bytes32 structHash) public view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domainSeparatorV4(), structHash));
    }

    /// EIP-5267. The first member says which of the others count: all but the salt and the extensions.
    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        return (0x0f, _domainName(), "1", SIGNED_CHAIN_ID, address(this), bytes32(0), new uint256[](0));
    }

    function _domainName() internal pure virtual returns (string memory);
}
