// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LOCAL_OWNER} from "./Canonical.sol";
import {Pausing} from "./Pausing.sol";

/// Paused and resumed by the owner. The real ones have guardians besides, and another owner.
abstract contract OwnedPausing is Pausing {
    error OnlyGuardian();

    function owner() public pure returns (address) {
        return LOCAL_OWNER;
    }

    function pause() external {
        if (msg.sender != owner()) revert OnlyGuardian();
        _pause();
    }

    function unpause() external {
        require(msg.sender == owner(), "Ownable: caller is not the owner");
        _unpause();
    }
}
