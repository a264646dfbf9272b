// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ID_REGISTRY, IIdRegistry, IStorageRegistry, STORAGE_REGISTRY} from "./Canonical.sol";
import {OwnedPausing} from "./OwnedPausing.sol";
import {Payout} from "./Payout.sol";
import {SignedAction} from "./SignedAction.sol";

/**
 * @title The IdGateway of the local chain
 * @notice Registers an account together with its first unit of storage, and gives back what was paid too much.
 */
contract IdGateway is OwnedPausing, SignedAction, Payout {
    error Unauthorized();

    string public constant VERSION = "2023.11.15";
    bytes32 public constant REGISTER_TYPEHASH =
        keccak256("Register(address to,address recovery,uint256 nonce,uint256 deadline)");
    IIdRegistry public constant idRegistry = IIdRegistry(ID_REGISTRY);
    IStorageRegistry public constant storageRegistry = IStorageRegistry(STORAGE_REGISTRY);

    /// The storage registry gives back what this contract passed on.
    receive() external payable {
        if (msg.sender != address(storageRegistry)) revert Unauthorized();
    }

    function price() external view returns (uint256) {
        return storageRegistry.unitPrice();
    }

    function price(uint256 extraStorage) external view returns (uint256) {
        return storageRegistry.price(1 + extraStorage);
    }

    function register(address recovery) external payable returns (uint256, uint256) {
        return register(recovery, 0);
    }

    function register(address recovery, uint256 extraStorage) public payable whenNotPaused returns (uint256, uint256) {
        return _register(msg.sender, recovery, extraStorage);
    }

    function registerFor(address to, address recovery, uint256 deadline, bytes calldata sig)
        external
        payable
        returns (uint256, uint256)
    {
        return registerFor(to, recovery, deadline, sig, 0);
    }

    function registerFor(address to, address recovery, uint256 deadline, bytes calldata sig, uint256 extraStorage)
        public
        payable
        whenNotPaused
        returns (uint256, uint256)
    {
        bytes32 structHash = keccak256(abi.encode(REGISTER_TYPEHASH, to, recovery, _useNonce(to), deadline));
        _requireSignature(structHash, to, deadline, sig);
        return _register(to, recovery, extraStorage);
    }

    function _domainName() internal pure override returns (string memory) {
        return "Farcaster IdGateway";
    }

    function _register(address to, address recovery, uint256 extraStorage)
        private
        returns (uint256 fid, uint256 overpayment)
    {
        fid = idRegistry.register(to, recovery);
        overpayment = storageRegistry.rent{value: msg.value}(fid, 1 + extraStorage);
        _sendNative(msg.sender, overpayment);
    }
}
