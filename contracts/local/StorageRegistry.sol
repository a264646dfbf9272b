// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LOCAL_OWNER} from "./Canonical.sol";
import {Pausing} from "./Pausing.sol";
import {Payout} from "./Payout.sol";

/**
 * @title The StorageRegistry of the local chain
 * @notice Same functions, events, errors and order of checks as the contract on OP Mainnet for who rents. The price of
 * ether is always a fixed one; there are no price feeds, credits, roles and withdrawals.
 */
contract StorageRegistry is Pausing, Payout {
    error ContractDeprecated();
    error ExceedsCapacity();
    error InvalidAmount();
    error InvalidBatchInput();
    error InvalidDeprecationTimestamp();
    error InvalidFixedPrice();
    error InvalidPayment();
    error NotOwner();

    event Rent(address indexed payer, uint256 indexed fid, uint256 units);
    event SetPrice(uint256 oldPrice, uint256 newPrice);
    event SetFixedEthUsdPrice(uint256 oldPrice, uint256 newPrice);
    event SetMaxUnits(uint256 oldMax, uint256 newMax);
    event SetDeprecationTimestamp(uint256 oldTimestamp, uint256 newTimestamp);

    string public constant VERSION = "2023.08.23";
    /// US dollars for one ether, with eight decimals.
    uint256 public constant priceFeedMinAnswer = 100e8;
    uint256 public constant priceFeedMaxAnswer = 10_000e8;

    /// Unix seconds.
    uint256 public deprecationTimestamp;
    /// US dollars, with eight decimals.
    uint256 public usdUnitPrice;
    /// US dollars for one ether, with eight decimals.
    uint256 public fixedEthUsdPrice;
    uint256 public maxUnits;
    uint256 public rentedUnits;

    modifier onlyOwner() {
        if (msg.sender != LOCAL_OWNER) revert NotOwner();
        _;
    }

    modifier whenNotDeprecated() {
        if (block.timestamp >= deprecationTimestamp) revert ContractDeprecated();
        _;
    }

    /// Rents for any fid: whether it is registered is not checked.
    function rent(uint256 fid, uint256 units)
        external
        payable
        whenNotDeprecated
        whenNotPaused
        returns (uint256 overpayment)
    {
        if (units == 0) revert InvalidAmount();
        if (rentedUnits + units > maxUnits) revert ExceedsCapacity();
        uint256 total = price(units);
        if (msg.value < total) revert InvalidPayment();
        rentedUnits += units;
        emit Rent(msg.sender, fid, units);
        overpayment = msg.value - total;
        _sendNative(msg.sender, overpayment);
    }

    /// Accounts with 0 units are skipped.
    function batchRent(uint256[] calldata fids, uint256[] calldata units)
        external
        payable
        whenNotDeprecated
        whenNotPaused
    {
        if (fids.length == 0 || fids.length != units.length) revert InvalidBatchInput();
        uint256 quantity;
        for (uint256 i; i < fids.length; ++i) {
            if (units[i] == 0) continue;
            quantity += units[i];
            emit Rent(msg.sender, fids[i], units[i]);
        }
        uint256 total = price(quantity);
        if (msg.value < total) revert InvalidPayment();
        if (rentedUnits + quantity > maxUnits) revert ExceedsCapacity();
        rentedUnits += quantity;
        _sendNative(msg.sender, msg.value - total);
    }

    function unitPrice() external view returns (uint256) {
        return price(1);
    }

    /// @return wei, rounded up
    function price(uint256 units) public view returns (uint256) {
        uint256 dollars = units * usdUnitPrice;
        // The real one reverts without data, too, where the next product overflows.
        if (dollars > type(uint256).max / 1e18) revert();
        uint256 scaled = dollars * 1e18;
        return scaled == 0 ? 0 : (scaled - 1) / fixedEthUsdPrice + 1;
    }

    function setPrice(uint256 usdPrice) external onlyOwner {
        emit SetPrice(usdUnitPrice, usdPrice);
        usdUnitPrice = usdPrice;
    }

    /// 0, which makes the real one ask its price feed, is refused here.
    function setFixedEthUsdPrice(uint256 fixedPrice) external onlyOwner {
        if (fixedPrice < priceFeedMinAnswer || fixedPrice > priceFeedMaxAnswer) revert InvalidFixedPrice();
        emit SetFixedEthUsdPrice(fixedEthUsdPrice, fixedPrice);
        fixedEthUsdPrice = fixedPrice;
    }

    function setMaxUnits(uint256 max) external onlyOwner {
        emit SetMaxUnits(maxUnits, max);
        maxUnits = max;
    }

    function setDeprecationTimestamp(uint256 timestamp) external onlyOwner {
        if (timestamp < block.timestamp) revert InvalidDeprecationTimestamp();
        emit SetDeprecationTimestamp(deprecationTimestamp, timestamp);
        deprecationTimestamp = timestamp;
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }
}
