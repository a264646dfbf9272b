// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721A} from "erc721a/contracts/ERC721A.sol";

/// What ERC-721A costs by itself: no limits, no price, no owner.
contract PlainSeries is ERC721A {
    constructor(string memory name, string memory symbol) ERC721A(name, symbol) {}

    function mint(address to, uint256 quantity) external payable {
        _safeMint(to, quantity);
    }

    function _startTokenId() internal pure override returns (uint256) {
        return 1;
    }
}
