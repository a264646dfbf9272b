// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A registry of names (ERC-137) that is the resolver of its names, too. Anybody may set them. It keeps nothing in its
/// code, so that the code can stand at any address.
contract NameRegistry {
    mapping(bytes32 node => address) public resolver;
    mapping(bytes32 node => address) public addr;

    function setResolver(bytes32 node, address by) external {
        resolver[node] = by;
    }

    function setAddr(bytes32 node, address to) external {
        addr[node] = to;
    }
}
