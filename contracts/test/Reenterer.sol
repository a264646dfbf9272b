// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Calls back whoever sends it coins or tokens, and remembers how that ended. It may own a collection.
contract Reenterer {
    uint256 private constant DEEPEST = 3;

    address private _target;
    bytes private _data;
    uint256 private _value;

    /// How often it called back, and how the first of these calls ended.
    uint256 public calls;
    bool public hasSucceeded;
    bytes public answer;

    /// @param target whom to call back with `data` and `value`; the zero address: nobody
    function arm(address target, bytes calldata data, uint256 value) external {
        (_target, _data, _value) = (target, data, value);
    }

    function execute(address target, bytes calldata data) external payable {
        (bool isDone, bytes memory reason) = target.call{value: msg.value}(data);
        if (isDone) return;
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }

    receive() external payable {
        _reenter();
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        _reenter();
        return this.onERC721Received.selector;
    }

    function _reenter() private {
        if (_target == address(0) || calls == DEEPEST) return;
        calls++;
        (hasSucceeded, answer) = _target.call{value: _value}(_data);
    }
}
