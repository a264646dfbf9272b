// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

interface IWrapped is IToken {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

interface IPair {
    function token0() external view returns (address);
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// Swaps along pairs of Uniswap v2, and for the coin of the network.
contract PairRouter {
    IWrapped private immutable _wrapped;

    constructor(IWrapped wrapped) {
        _wrapped = wrapped;
    }

    receive() external payable {}

    /**
     * @param amount of `token`; 0: the value, which is wrapped first
     * @param unwraps whether the last pair pays in the wrapped coin, of which the caller gets the coin
     */
    function swap(address token, IPair[] calldata pairs, uint256 amount, bool unwraps) external payable {
        if (amount == 0) {
            _wrapped.deposit{value: msg.value}();
            _wrapped.transfer(address(pairs[0]), msg.value);
        } else {
            IToken(token).transferFrom(msg.sender, address(pairs[0]), amount);
        }
        for (uint256 i = 0; i < pairs.length; ++i) {
            bool isLast = i + 1 == pairs.length;
            address to = !isLast ? address(pairs[i + 1]) : unwraps ? address(this) : msg.sender;
            token = _hop(pairs[i], token, to);
        }
        if (!unwraps) return;
        uint256 got = _wrapped.balanceOf(address(this));
        _wrapped.withdraw(got);
        (bool done,) = msg.sender.call{value: got}("");
        require(done, "the coin was refused");
    }

    /// @return the token that came out
    function _hop(IPair pair, address token, address to) private returns (address) {
        bool isFirst = pair.token0() == token;
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        (uint256 reserveIn, uint256 reserveOut) = isFirst ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 input = (IToken(token).balanceOf(address(pair)) - reserveIn) * 997;
        uint256 output = (input * reserveOut) / (reserveIn * 1000 + input);
        pair.swap(isFirst ? 0 : output, isFirst ? output : 0, to, "");
        return isFirst ? IPairTokens(address(pair)).token1() : pair.token0();
    }
}

interface IPairTokens {
    function token1() external view returns (address);
}
