// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LOCAL_OWNER} from "./Canonical.sol";

/// What a contract is deployed with.
struct Terms {
    string name;
    string symbol;
    string contractURI;
    string baseTokenURI;
    /// Price of a second, in wei.
    uint256 tps;
    uint256 minPurchaseSeconds;
    address owner;
}

/**
 * @title A subscription contract of the local chain
 * @notice Has the functions and events of version 1 of the subscription token protocol that subscribe, give and tell:
 * one token for each account, with the time that was bought and the time that was granted. Paid in the native coin
 * alone; there are no refunds, rewards, referrals, fees and caps.
 */
contract SubscriptionToken {
    error InvalidAmount();
    error NotOwner();
    error NotSubscriber();
    error AlreadySubscribed();
    error TransferFailed();

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Purchase(
        address indexed account,
        uint256 indexed tokenId,
        uint256 tokensTransferred,
        uint256 timePurchased,
        uint256 rewardPoints,
        uint256 expiresAt
    );
    event Grant(address indexed account, uint256 indexed tokenId, uint256 secondsGranted, uint256 expiresAt);
    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    struct Subscription {
        uint256 tokenId;
        /// Unix seconds.
        uint256 purchasedUntil;
        uint256 grantedUntil;
    }

    string public name;
    string public symbol;
    string public contractURI;
    string public baseTokenURI;
    uint256 public immutable tps;
    uint256 public immutable minPurchaseSeconds;
    /// Zero: the native coin.
    address public constant erc20Address = address(0);
    address public owner;
    address public pendingOwner;
    mapping(uint256 tokenId => address) public ownerOf;
    uint256 private _lastTokenId;
    mapping(address account => Subscription) private _subscriptions;

    constructor(Terms memory terms) {
        (name, symbol) = (terms.name, terms.symbol);
        (contractURI, baseTokenURI) = (terms.contractURI, terms.baseTokenURI);
        (tps, minPurchaseSeconds) = (terms.tps, terms.minPurchaseSeconds);
        owner = terms.owner;
        emit OwnershipTransferred(address(0), terms.owner);
    }

    function mint(uint256 numTokens) external payable {
        mintFor(msg.sender, numTokens);
    }

    /// @param numTokens wei, as many as are sent
    function mintFor(address account, uint256 numTokens) public payable {
        uint256 time = timeValue(numTokens);
        if (msg.value != numTokens || time < minPurchaseSeconds) revert InvalidAmount();
        Subscription storage subscription = _subscribe(account);
        subscription.purchasedUntil = _later(subscription.purchasedUntil) + time;
        emit Purchase(account, subscription.tokenId, numTokens, time, 0, subscription.purchasedUntil);
    }

    /// The owner of all contracts of the local chain may grant time, too.
    function grantTime(address[] calldata accounts, uint256 secondsToAdd) external {
        if (msg.sender != owner && msg.sender != LOCAL_OWNER) revert NotOwner();
        for (uint256 index = 0; index < accounts.length; index++) {
            Subscription storage subscription = _subscribe(accounts[index]);
            subscription.grantedUntil = _later(subscription.grantedUntil) + secondsToAdd;
            emit Grant(accounts[index], subscription.tokenId, secondsToAdd, subscription.grantedUntil);
        }
    }

    /// Moves a subscription; approvals are left out.
    function transferFrom(address from, address to, uint256 tokenId) external {
        if (ownerOf[tokenId] != from || msg.sender != from || to == address(0)) revert NotSubscriber();
        if (_subscriptions[to].tokenId != 0) revert AlreadySubscribed();
        _subscriptions[to] = _subscriptions[from];
        delete _subscriptions[from];
        ownerOf[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function transferOwnership(address newOwner) external {
        if (msg.sender != owner) revert NotOwner();
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner, newOwner);
    }

    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotOwner();
        emit OwnershipTransferred(owner, pendingOwner);
        owner = pendingOwner;
        delete pendingOwner;
    }

    function withdraw() external {
        if (msg.sender != owner) revert NotOwner();
        (bool isSent,) = owner.call{value: address(this).balance}("");
        if (!isSent) revert TransferFailed();
    }

    function subscriptionOf(address account)
        external
        view
        returns (uint256 tokenId, uint256 refundableAmount, uint256 rewardPoints, uint256 expiresAt)
    {
        Subscription storage subscription = _subscriptions[account];
        uint256 bought = subscription.purchasedUntil;
        uint256 granted = subscription.grantedUntil;
        return (subscription.tokenId, 0, 0, bought > granted ? bought : granted);
    }

    /// Seconds that are left, bought and granted together.
    function balanceOf(address account) external view returns (uint256 numSeconds) {
        Subscription storage subscription = _subscriptions[account];
        return _left(subscription.purchasedUntil) + _left(subscription.grantedUntil);
    }

    function timeValue(uint256 numTokens) public view returns (uint256 numSeconds) {
        return numTokens / tps;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        // ERC-165 and ERC-721.
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd;
    }

    function _subscribe(address account) private returns (Subscription storage subscription) {
        subscription = _subscriptions[account];
        if (subscription.tokenId != 0) return subscription;
        subscription.tokenId = ++_lastTokenId;
        ownerOf[_lastTokenId] = account;
        emit Transfer(address(0), account, _lastTokenId);
    }

    function _later(uint256 until) private view returns (uint256) {
        return until > block.timestamp ? until : block.timestamp;
    }

    function _left(uint256 until) private view returns (uint256) {
        return until > block.timestamp ? until - block.timestamp : 0;
    }
}
