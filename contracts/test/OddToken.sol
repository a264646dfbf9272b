// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token with six decimals that departs from ERC-20 in one way, as tokens on public networks do.
contract OddToken {
    enum Kind {
        ReturnsFalse,
        ReturnsNothing,
        TakesFee,
        Blacklists,
        TransfersNothing,
        BurnsGas
    }

    event Transfer(address indexed from, address indexed to, uint256 amount);

    string public constant name = "Odd";
    string public constant symbol = "ODD";
    uint8 public constant decimals = 6;

    Kind private immutable _kind;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public blacklisted;

    constructor(Kind kind) {
        _kind = kind;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function blacklist(address account) external {
        blacklisted[account] = true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (_kind == Kind.ReturnsFalse) return false;
        if (_kind == Kind.TransfersNothing) return true;
        if (_kind == Kind.BurnsGas) for (uint256 i = 0; i < 10_000; ++i) blacklisted[address(uint160(i))] = false;
        require(!blacklisted[to], "the recipient is blacklisted");
        require(balanceOf[msg.sender] >= amount, "too few tokens");
        uint256 fee = _kind == Kind.TakesFee ? amount / 10 : 0;
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount - fee;
        totalSupply -= fee;
        emit Transfer(msg.sender, to, amount - fee);
        if (_kind == Kind.ReturnsNothing) {
            assembly {
                return(0, 0)
            }
        }
        return true;
    }
}
