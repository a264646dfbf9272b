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

/// A token that claims transfers which did not happen, an entry point that swaps for an account, and a pool that names a
/// factory which does not know it.
contract TransferForger {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event BeforeExecution();
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
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
    function handle(
        address account,
        IToken token,
        IToken bought,
        uint256 amount,
        IRouter router,
        address[] calldata pairs,
        bool success
    ) external {
        emit BeforeExecution();
        token.transferFrom(account, address(this), amount);
        token.approve(address(router), amount);
        router.swap(address(token), pairs, amount, false);
        bought.transfer(account, bought.balanceOf(address(this)));
        emit UserOperationEvent(0, account, address(0), 0, success, 0, 0);
    }

    /// Calls an entry point, and claims before and after it that the account got this token.
    function bundle(address account, address entryPoint, bytes calldata operation) external {
        claim(address(this), account, 2 ether);
        (bool done,) = entryPoint.call(operation);
        require(done, "the operation failed");
        claim(address(this), account, 2 ether);
    }

    address public factory;

    /// Swaps one to one out of what it has. Without `token0` it is no pool. The value is kept.
    function pretend(address known, IToken token, IToken bought, uint256 amount) external payable {
        factory = known;
        token.transferFrom(msg.sender, address(this), amount);
        bought.transfer(msg.sender, amount);
        emit Swap(msg.sender, amount, 0, 0, amount, msg.sender);
    }
}
