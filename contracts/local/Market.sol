// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IMarketToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// A market of the local chain: whoever gives one of two tokens gets the other one, and the product of what it holds of
/// both stays the same. Its event is that of pairs of Uniswap v2. What it holds is a gift of the chain.
contract Market {
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    IMarketToken public token0;
    IMarketToken public token1;
    /// Unix seconds of the latest trade.
    uint256 public latest;

    /// @notice Can be called once.
    function open(IMarketToken first, IMarketToken second) external {
        require(address(token0) == address(0), "the market is open");
        (token0, token1) = (first, second);
    }

    /// @notice Gives `amount` of the first token for the second one, or the other way round.
    function trade(bool isFirst, uint256 amount) external returns (uint256 got) {
        (IMarketToken given, IMarketToken wanted) = isFirst ? (token0, token1) : (token1, token0);
        uint256 before = given.balanceOf(address(this));
        got = (wanted.balanceOf(address(this)) * amount) / (before + amount);
        require(given.transferFrom(msg.sender, address(this), amount), "the token was not given");
        require(wanted.transfer(msg.sender, got), "the token was not handed out");
        latest = block.timestamp;
        if (isFirst) emit Swap(msg.sender, amount, 0, 0, got, msg.sender);
        else emit Swap(msg.sender, 0, amount, got, 0, msg.sender);
    }
}
