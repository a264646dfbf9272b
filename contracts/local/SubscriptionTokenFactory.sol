// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LOCAL_OWNER} from "./Canonical.sol";
import {SubscriptionToken, Terms} from "./SubscriptionToken.sol";

/**
 * @title The factory of subscription contracts on the local chain
 * @notice Deploys as the factory of version 1 of the subscription token protocol does, without fees and rewards, and for
 * payments in the native coin alone.
 */
contract SubscriptionTokenFactory {
    error OnlyNativeCoin();
    error InvalidTerms();
    error NotOwner();

    event Deployment(address indexed deployment, uint256 feeId);

    function deploySubscription(
        string memory name,
        string memory symbol,
        string memory contractURI,
        string memory tokenURI,
        uint256 tokensPerSecond,
        uint256 minimumPurchaseSeconds,
        uint16,
        address erc20TokenAddr,
        uint256 feeConfigId
    ) external payable returns (address) {
        if (erc20TokenAddr != address(0)) revert OnlyNativeCoin();
        Terms memory terms =
            Terms(name, symbol, contractURI, tokenURI, tokensPerSecond, minimumPurchaseSeconds, msg.sender);
        return _deploy(terms, feeConfigId);
    }

    /// Only on the local chain: deploys for somebody else.
    function deployFor(Terms calldata terms) external returns (address) {
        if (msg.sender != LOCAL_OWNER) revert NotOwner();
        return _deploy(terms, 0);
    }

    function _deploy(Terms memory terms, uint256 feeId) private returns (address deployment) {
        if (terms.tps == 0 || terms.minPurchaseSeconds == 0) revert InvalidTerms();
        deployment = address(new SubscriptionToken(terms));
        emit Deployment(deployment, feeId);
    }
}
