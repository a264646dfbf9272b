// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Gives back what was paid too much.
abstract contract Payout {
    error CallFailed();

    function _sendNative(address to, uint256 amount) internal {
        if (amount == 0) return;
        (bool isSent,) = to.call{value: amount}("");
        if (!isSent) revert CallFailed();
    }
}
