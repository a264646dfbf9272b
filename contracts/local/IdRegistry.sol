// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ID_GATEWAY, LOCAL_OWNER} from "./Canonical.sol";
import {OwnedPausing} from "./OwnedPausing.sol";
import {isSignedBy} from "./Signature.sol";
import {SignedAction} from "./SignedAction.sol";

/**
 * @title The IdRegistry of the local chain
 * @notice Same functions, events, errors and order of checks as the contract on OP Mainnet
 * (https://github.com/farcasterxyz/contracts), without the management of owners, guardians and the migration.
 */
contract IdRegistry is OwnedPausing, SignedAction {
    struct BulkRegisterData {
        uint24 fid;
        address custody;
        address recovery;
    }

    /// An account of `registerMissing`.
    struct Account {
        uint256 fid;
        address custody;
        address recovery;
    }

    error HasId();
    error HasNoId();
    error OnlyMigrator();
    error Unauthorized();

    event Register(address indexed to, uint256 indexed id, address recovery);
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Recover(address indexed from, address indexed to, uint256 indexed id);
    event ChangeRecoveryAddress(uint256 indexed id, address indexed recovery);
    event SetIdCounter(uint256 oldCounter, uint256 newCounter);

    string public constant name = "Farcaster FID";
    string public constant VERSION = "2023.11.15";
    address public constant idGateway = ID_GATEWAY;
    address public constant migrator = LOCAL_OWNER;
    bytes32 public constant TRANSFER_TYPEHASH =
        keccak256("Transfer(uint256 fid,address to,uint256 nonce,uint256 deadline)");
    bytes32 public constant TRANSFER_AND_CHANGE_RECOVERY_TYPEHASH =
        keccak256("TransferAndChangeRecovery(uint256 fid,address to,address recovery,uint256 nonce,uint256 deadline)");
    bytes32 public constant CHANGE_RECOVERY_ADDRESS_TYPEHASH =
        keccak256("ChangeRecoveryAddress(uint256 fid,address from,address to,uint256 nonce,uint256 deadline)");

    /// The last fid that was given out.
    uint256 public idCounter;
    mapping(address owner => uint256 fid) public idOf;
    mapping(uint256 fid => address custody) public custodyOf;
    mapping(uint256 fid => address recovery) public recoveryOf;

    modifier onlyMigrator() {
        if (msg.sender != migrator) revert OnlyMigrator();
        _;
    }

    /// Called by the gateway alone.
    function register(address to, address recovery) external whenNotPaused returns (uint256 fid) {
        if (msg.sender != idGateway) revert Unauthorized();
        if (idOf[to] != 0) revert HasId();
        fid = ++idCounter;
        _register(fid, to, recovery);
    }

    function transfer(address to, uint256 deadline, bytes calldata sig) external {
        uint256 fid = _requireTransferable(msg.sender, to);
        _requireTransferSignature(fid, to, to, deadline, sig);
        _transfer(fid, msg.sender, to);
    }

    function transferFor(
        address from,
        address to,
        uint256 fromDeadline,
        bytes calldata fromSig,
        uint256 toDeadline,
        bytes calldata toSig
    ) external {
        uint256 fid = _requireTransferable(from, to);
        _requireTransferSignature(fid, to, from, fromDeadline, fromSig);
        _requireTransferSignature(fid, to, to, toDeadline, toSig);
        _transfer(fid, from, to);
    }

    function transferAndChangeRecovery(address to, address recovery, uint256 deadline, bytes calldata sig) external {
        uint256 fid = _requireTransferable(msg.sender, to);
        _requireTransferAndRecoverySignature(fid, to, recovery, to, deadline, sig);
        _transfer(fid, msg.sender, to);
        _changeRecovery(fid, recovery);
    }

    function transferAndChangeRecoveryFor(
        address from,
        address to,
        address recovery,
        uint256 fromDeadline,
        bytes calldata fromSig,
        uint256 toDeadline,
        bytes calldata toSig
    ) external {
        uint256 fid = _requireTransferable(from, to);
        _requireTransferAndRecoverySignature(fid, to, recovery, from, fromDeadline, fromSig);
        _requireTransferAndRecoverySignature(fid, to, recovery, to, toDeadline, toSig);
        _transfer(fid, from, to);
        _changeRecovery(fid, recovery);
    }

    function changeRecoveryAddress(address recovery) external whenNotPaused {
        _changeRecovery(_requireFid(msg.sender), recovery);
    }

    function changeRecoveryAddressFor(address owner, address recovery, uint256 deadline, bytes calldata sig)
        external
        whenNotPaused
    {
        uint256 fid = _requireFid(owner);
        bytes32 structHash = keccak256(
            abi.encode(
                CHANGE_RECOVERY_ADDRESS_TYPEHASH, fid, recoveryOf[fid], recovery, _useNonce(owner), deadline
            )
        );
        _requireSignature(structHash, owner, deadline, sig);
        _changeRecovery(fid, recovery);
    }

    function recover(address from, address to, uint256 deadline, bytes calldata sig) external {
        uint256 fid = _requireFid(from);
        if (recoveryOf[fid] != msg.sender) revert Unauthorized();
        if (idOf[to] != 0) revert HasId();
        _requireTransferSignature(fid, to, to, deadline, sig);
        emit Recover(from, to, fid);
        _transfer(fid, from, to);
    }

    function recoverFor(
        address from,
        address to,
        uint256 recoveryDeadline,
        bytes calldata recoverySig,
        uint256 toDeadline,
        bytes calldata toSig
    ) external {
        uint256 fid = _requireTransferable(from, to);
        _requireTransferSignature(fid, to, recoveryOf[fid], recoveryDeadline, recoverySig);
        _requireTransferSignature(fid, to, to, toDeadline, toSig);
        emit Recover(from, to, fid);
        _transfer(fid, from, to);
    }

    function verifyFidSignature(address custody, uint256 fid, bytes32 digest, bytes calldata sig)
        external
        view
        returns (bool)
    {
        return idOf[custody] == fid && isSignedBy(custody, digest, sig);
    }

    /// The real one demands that the contract is paused.
    function bulkRegisterIds(BulkRegisterData[] calldata ids) external onlyMigrator {
        for (uint256 i; i < ids.length; ++i) {
            if (idOf[ids[i].custody] != 0) revert HasId();
            _register(ids[i].fid, ids[i].custody, ids[i].recovery);
        }
    }

    /// The real one demands that the contract is paused.
    function setIdCounter(uint256 counter) external onlyMigrator {
        emit SetIdCounter(idCounter, counter);
        idCounter = counter;
    }

    /**
     * Exists on the local chain alone: registers accounts of the service's database. A fid that is registered, an
     * address that has one, and zeros are skipped, because the state of the chain may be newer.
     * @return count of the accounts that were registered
     */
    function registerMissing(Account[] calldata accounts) external onlyMigrator returns (uint256 count) {
        for (uint256 i; i < accounts.length; ++i) {
            Account calldata account = accounts[i];
            if (account.fid == 0 || account.custody == address(0)) continue;
            if (custodyOf[account.fid] != address(0) || idOf[account.custody] != 0) continue;
            _register(account.fid, account.custody, account.recovery);
            ++count;
        }
    }

    function _domainName() internal pure override returns (string memory) {
        return "Farcaster IdRegistry";
    }

    function _requireFid(address account) private view returns (uint256 fid) {
        fid = idOf[account];
        if (fid == 0) revert HasNoId();
    }

    function _requireTransferable(address from, address to) private view returns (uint256 fid) {
        fid = _requireFid(from);
        if (idOf[to] != 0) revert HasId();
    }

    function _requireTransferSignature(uint256 fid, address to, address signer, uint256 deadline, bytes calldata sig)
        private
    {
        bytes32 structHash = keccak256(abi.encode(TRANSFER_TYPEHASH, fid, to, _useNonce(signer), deadline));
        _requireSignature(structHash, signer, deadline, sig);
    }

    function _requireTransferAndRecoverySignature(
        uint256 fid,
        address to,
        address recovery,
        address signer,
        uint256 deadline,
        bytes calldata sig
    ) private {
        bytes32 structHash = keccak256(
            abi.encode(TRANSFER_AND_CHANGE_RECOVERY_TYPEHASH, fid, to, recovery, _useNonce(signer), deadline)
        );
        _requireSignature(structHash, signer, deadline, sig);
    }

    function _register(uint256 fid, address to, address recovery) private {
        idOf[to] = fid;
        custodyOf[fid] = to;
        recoveryOf[fid] = recovery;
        emit Register(to, fid, recovery);
    }

    function _transfer(uint256 fid, address from, address to) private whenNotPaused {
        idOf[to] = fid;
        custodyOf[fid] = to;
        delete idOf[from];
        emit Transfer(from, to, fid);
    }

    function _changeRecovery(uint256 fid, address recovery) private whenNotPaused {
        recoveryOf[fid] = recovery;
        emit ChangeRecoveryAddress(fid, recovery);
    }
}
