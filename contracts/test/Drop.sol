// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721A} from "erc721a/contracts/ERC721A.sol";

/// A collection of another service: another mint function, and another one that tells the price.
contract Drop is ERC721A {
    uint256 public constant mintPrice = 0.001 ether;
    uint256 private immutable _maxSupply;

    constructor(uint256 maxSupply) ERC721A("Drop", "DROP") {
        _maxSupply = maxSupply;
    }

    function mintTo(address to, uint256 quantity) external payable {
        require(_totalMinted() + quantity <= _maxSupply, "too many");
        require(msg.value == mintPrice * quantity, "another price");
        _safeMint(to, quantity);
    }
}
