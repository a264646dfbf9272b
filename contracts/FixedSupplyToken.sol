// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Blob} from "./Blob.sol";

/**
 * @title An ERC-20 token whose whole supply is given to its owner at deployment.
 * @notice Nobody can mint, pause, freeze or change it afterwards, its deployer and its owner included. It has 18
 * decimals and EIP-2612 permits.
 */
contract FixedSupplyToken is ERC20, ERC20Permit {
    uint256 public constant SUPPLY = 1_000_000_000 ether;

    /// Who was given the supply. The address has no power over the contract.
    address public immutable tokenOwner;
    /// Its code is the text of `contractURI`: a third of the cost of storage.
    address private immutable _metadata;

    /// @param uri ASCII, at most 24,576 bytes.
    constructor(string memory name, string memory symbol, string memory uri, address owner)
        ERC20(name, symbol)
        ERC20Permit(name)
    {
        tokenOwner = owner;
        _metadata = address(new Blob(bytes(uri)));
        _mint(owner, SUPPLY);
    }

    /// ERC-7572: where the metadata of the token is, here a data URI that holds it.
    function contractURI() external view returns (string memory) {
        return string(_metadata.code);
    }
}
