// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/**
 * A token of six decimals with transfers by authorization (EIP-3009), as USDC has them; anybody may mint it. Its code
 * works at any address, because name and version are part of it.
 */
contract AuthorizedToken is ERC3009 {
    bool private immutable _tellsSeparator;

    constructor(string memory domainName, string memory domainVersion, bool tellsSeparator)
        ERC20("", "")
        EIP712(domainName, domainVersion)
    {
        _tellsSeparator = tellsSeparator;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        require(_tellsSeparator, "not told");
        return _domainSeparatorV4();
    }

    function name() public view override returns (string memory) {
        return _EIP712Name();
    }

    function version() external view returns (string memory) {
        return _EIP712Version();
    }

    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
