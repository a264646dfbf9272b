// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The texts of the reverts are those of OpenZeppelin 4, which the real registries are built with.
abstract contract Pausing {
    event Paused(address account);
    event Unpaused(address account);

    bool public paused;

    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    function _requireNotPaused() private view {
        require(!paused, "Pausable: paused");
    }

    function _pause() internal whenNotPaused {
        paused = true;
        emit Paused(msg.sender);
    }

    function _unpause() internal {
        require(paused, "Pausable: not paused");
        paused = false;
        emit Unpaused(msg.sender);
    }
}
