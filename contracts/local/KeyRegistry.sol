// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    ID_REGISTRY,
    IIdRegistry,
    IMetadataValidator,
    KEY_GATEWAY,
    LOCAL_OWNER,
    SIGNED_KEY_REQUEST_VALIDATOR
} from "./Canonical.sol";
import {OwnedPausing} from "./OwnedPausing.sol";
import {SignedAction} from "./SignedAction.sol";

/**
 * @title The KeyRegistry of the local chain
 * @notice Same functions, events, errors and order of checks as the contract on OP Mainnet, without the management of
 * owners, guardians, validators and the migration.
 */
contract KeyRegistry is OwnedPausing, SignedAction {
    enum KeyState {
        NULL,
        ADDED,
        REMOVED
    }

    struct KeyData {
        KeyState state;
        uint32 keyType;
    }

    struct BulkAddKey {
        bytes key;
        bytes metadata;
    }

    struct BulkAddData {
        uint256 fid;
        BulkAddKey[] keys;
    }

    /// Keys of an account in one state. A removed key is replaced by the last one of the list.
    struct KeyList {
        bytes[] items;
        /// Counted from 1; 0: not in the list.
        mapping(bytes key => uint256) position;
    }

    error ExceedsMaximum();
    error InvalidMetadata();
    error InvalidState();
    error OnlyMigrator();
    error Unauthorized();
    error ValidatorNotFound(uint32 keyType, uint8 metadataType);

    event Add(
        uint256 indexed fid,
        uint32 indexed keyType,
        bytes indexed key,
        bytes keyBytes,
        uint8 metadataType,
        bytes metadata
    );
    event Remove(uint256 indexed fid, bytes indexed key, bytes keyBytes);

    string public constant VERSION = "2023.11.15";
    bytes32 public constant REMOVE_TYPEHASH =
        keccak256("Remove(address owner,bytes key,uint256 nonce,uint256 deadline)");
    IIdRegistry public constant idRegistry = IIdRegistry(ID_REGISTRY);
    address public constant keyGateway = KEY_GATEWAY;
    address public constant migrator = LOCAL_OWNER;
    uint256 public constant maxKeysPerFid = 1000;

    mapping(uint256 fid => mapping(bytes key => KeyData data)) public keys;
    mapping(uint256 fid => mapping(KeyState state => KeyList)) private _lists;

    function totalKeys(uint256 fid, KeyState state) public view returns (uint256) {
        return _list(fid, state).items.length;
    }

    function keyAt(uint256 fid, KeyState state, uint256 index) external view returns (bytes memory) {
        return _list(fid, state).items[index];
    }

    function keysOf(uint256 fid, KeyState state) external view returns (bytes[] memory) {
        return _list(fid, state).items;
    }

    /// @return page at most `size` keys
    /// @return next where the following page starts; 0: this was the last one
    function keysOf(uint256 fid, KeyState state, uint256 start, uint256 size)
        external
        view
        returns (bytes[] memory page, uint256 next)
    {
        bytes[] storage items = _list(fid, state).items;
        if (start >= items.length) return (page, 0);
        uint256 left = items.length - start;
        page = new bytes[](left < size ? left : size);
        for (uint256 i; i < page.length; ++i) {
            page[i] = items[start + i];
        }
        if (page.length < left) next = start + page.length;
    }

    function keyDataOf(uint256 fid, bytes calldata key) external view returns (KeyData memory) {
        return keys[fid][key];
    }

    /// Keys that sign messages (1) and keys that sign in (2) are added with the same kind of metadata.
    function validators(uint32 keyType, uint8 metadataType) public pure returns (address) {
        bool isKnown = (keyType == 1 || keyType == 2) && metadataType == 1;
        return isKnown ? SIGNED_KEY_REQUEST_VALIDATOR : address(0);
    }

    /// Called by the gateway alone.
    function add(
        address fidOwner,
        uint32 keyType,
        bytes calldata key,
        uint8 metadataType,
        bytes calldata metadata
    ) external whenNotPaused {
        if (msg.sender != keyGateway) revert Unauthorized();
        uint256 fid = _requireFid(fidOwner);
        address validator = _add(fid, keyType, key, metadataType, metadata);
        if (!IMetadataValidator(validator).validate(fid, key, metadata)) revert InvalidMetadata();
    }

    function remove(bytes calldata key) external whenNotPaused {
        _remove(_requireFid(msg.sender), key);
    }

    function removeFor(address fidOwner, bytes calldata key, uint256 deadline, bytes calldata sig)
        external
        whenNotPaused
    {
        bytes32 structHash =
            keccak256(abi.encode(REMOVE_TYPEHASH, fidOwner, keccak256(key), _useNonce(fidOwner), deadline));
        _requireSignature(structHash, fidOwner, deadline, sig);
        _remove(_requireFid(fidOwner), key);
    }

    /// Adds keys without a check of their metadata. The real one demands that the contract is paused.
    function bulkAddKeysForMigration(BulkAddData[] calldata items) external {
        if (msg.sender != migrator) revert OnlyMigrator();
        for (uint256 i; i < items.length; ++i) {
            BulkAddKey[] calldata added = items[i].keys;
            for (uint256 j; j < added.length; ++j) {
                _add(items[i].fid, 1, added[j].key, 1, added[j].metadata);
            }
        }
    }

    function _domainName() internal pure override returns (string memory) {
        return "Farcaster KeyRegistry";
    }

    function _requireFid(address account) private view returns (uint256 fid) {
        fid = idRegistry.idOf(account);
        if (fid == 0) revert Unauthorized();
    }

    function _list(uint256 fid, KeyState state) private view returns (KeyList storage) {
        if (state == KeyState.NULL) revert InvalidState();
        return _lists[fid][state];
    }

    /// @return validator the contract that checks this kind of metadata
    function _add(uint256 fid, uint32 keyType, bytes calldata key, uint8 metadataType, bytes calldata metadata)
        private
        returns (address validator)
    {
        KeyData storage data = keys[fid][key];
        if (data.state != KeyState.NULL) revert InvalidState();
        if (totalKeys(fid, KeyState.ADDED) >= maxKeysPerFid) revert ExceedsMaximum();
        validator = validators(keyType, metadataType);
        if (validator == address(0)) revert ValidatorNotFound(keyType, metadataType);
        _append(_lists[fid][KeyState.ADDED], key);
        data.state = KeyState.ADDED;
        data.keyType = keyType;
        emit Add(fid, keyType, key, key, metadataType, metadata);
    }

    function _remove(uint256 fid, bytes calldata key) private {
        KeyData storage data = keys[fid][key];
        if (data.state != KeyState.ADDED) revert InvalidState();
        _cut(_lists[fid][KeyState.ADDED], key);
        _append(_lists[fid][KeyState.REMOVED], key);
        data.state = KeyState.REMOVED;
        emit Remove(fid, key, key);
    }

    function _append(KeyList storage list, bytes calldata key) private {
        list.items.push(key);
        list.position[key] = list.items.length;
    }

    function _cut(KeyList storage list, bytes calldata key) private {
        uint256 position = list.position[key];
        bytes memory last = list.items[list.items.length - 1];
        list.items[position - 1] = last;
        list.position[last] = position;
        list.items.pop();
        delete list.position[key];
    }
}
