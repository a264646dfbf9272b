// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ERC721A} from "erc721a/contracts/ERC721A.sol";
import {Blob} from "./Blob.sol";

/// What a collection is deployed with. Times are Unix seconds, amounts are wei.
struct Config {
    string name;
    string symbol;
    string description;
    string externalLink;
    string image;
    /// Where the collection's metadata is; empty: in the contract, made of the members above. ASCII.
    string metadataUri;
    /// Put before a token's id; empty: every token shows the collection's own metadata.
    string tokenUri;
    /// 0: as many as the counters hold.
    uint256 maxSupply;
    /// 0: open from the deployment on.
    uint48 startTime;
    /// First second in which minting is over; 0: never.
    uint48 endTime;
    /// 0: no limit.
    uint48 maxPerTx;
    /// 0: no limit.
    uint48 maxPerWallet;
    uint256 pricePerToken;
    /// Share of a sale price, of 10,000.
    uint16 royaltyBps;
    /// May be the zero address where `royaltyBps` is 0.
    address royaltyReceiver;
    address owner;
}

/**
 * @title A series of tokens that anybody mints at a fixed price, within limits that its buyers can rely on.
 * @notice Price, supply and limits are fixed at deployment; the owner may move the mint window, change the token URI,
 * mint for free within the supply, and withdraw. Token ids start at 1. See docs/collection.md.
 */
contract SeriesCollection is ERC721A, ERC2981, Ownable2Step {
    /// No more than `remaining` tokens can still be minted.
    error SoldOut(uint256 quantity, uint256 remaining);
    error MintNotStarted(uint256 startTime);
    error MintEnded(uint256 endTime);
    error TooManyPerTransaction(uint256 quantity, uint256 maxPerTx);
    /// `minted` counts what `to` was minted so far, gifts of the owner included.
    error TooManyPerWallet(address to, uint256 quantity, uint256 minted, uint256 maxPerWallet);
    /// The value must be exact: nothing is given back.
    error WrongValue(uint256 value, uint256 required);
    error InvalidMintWindow(uint256 startTime, uint256 endTime);
    error InvalidMaxSupply(uint256 maxSupply, uint256 highest);
    error InvalidPrice(uint256 pricePerToken, uint256 highest);
    /// Name, symbol, description, image and link together, as a data URI.
    error MetadataTooLong(uint256 length, uint256 longest);
    error InvalidRecipient(address to);
    /// What was paid would be lost.
    error OwnershipCannotBeRenounced();

    event MintWindowChanged(uint256 startTime, uint256 endTime);
    event Withdrawn(address indexed to, uint256 amount);

    /// ERC721A counts the tokens of a wallet in 64 bits; no total above that, so none of its counters can overflow.
    uint256 private constant HIGHEST_SUPPLY = type(uint64).max;
    /// Times any quantity that the supply admits, this stays below 2^256.
    uint256 private constant HIGHEST_PRICE = type(uint192).max;
    /// EIP-170: the code of a contract has no more bytes.
    uint256 private constant LONGEST_METADATA = 24_576;

    uint256 public immutable maxSupply;
    uint256 public immutable maxPerTx;
    uint256 public immutable maxPerWallet;
    uint256 public immutable pricePerToken;
    /// Its code is the data URI of the collection's metadata: a third of the cost of storage.
    address private immutable _metadata;

    // In one slot with the pending owner, the last variable of Ownable2Step.
    uint48 public startTime;
    uint48 public endTime;
    string private _tokenUri;

    constructor(Config memory config) ERC721A(config.name, config.symbol) Ownable(config.owner) {
        if (config.maxSupply > HIGHEST_SUPPLY) revert InvalidMaxSupply(config.maxSupply, HIGHEST_SUPPLY);
        if (config.pricePerToken > HIGHEST_PRICE) revert InvalidPrice(config.pricePerToken, HIGHEST_PRICE);
        maxSupply = config.maxSupply;
        maxPerTx = config.maxPerTx;
        maxPerWallet = config.maxPerWallet;
        pricePerToken = config.pricePerToken;
        bytes memory uri = bytes(config.metadataUri);
        if (uri.length == 0) uri = bytes(_dataUri(config));
        if (uri.length > LONGEST_METADATA) revert MetadataTooLong(uri.length, LONGEST_METADATA);
        _metadata = address(new Blob(uri));
        _tokenUri = config.tokenUri;
        _setMintWindow(config.startTime, config.endTime);
        if (config.royaltyReceiver != address(0) || config.royaltyBps != 0) {
            _setDefaultRoyalty(config.royaltyReceiver, config.royaltyBps);
        }
    }

    /**
     * Mints to anybody, paid by the caller with exactly `quantity * pricePerToken`. The limit per wallet is the
     * recipient's. A recipient with code must take ERC-721 tokens.
     */
    function mint(address to, uint256 quantity) external payable {
        if (block.timestamp < startTime) revert MintNotStarted(startTime);
        if (endTime != 0 && block.timestamp >= endTime) revert MintEnded(endTime);
        if (maxPerTx != 0 && quantity > maxPerTx) revert TooManyPerTransaction(quantity, maxPerTx);
        _requireSupply(quantity);
        if (maxPerWallet != 0) {
            uint256 minted = _numberMinted(to);
            // Both are below 2^64.
            unchecked {
                if (minted + quantity > maxPerWallet) revert TooManyPerWallet(to, quantity, minted, maxPerWallet);
            }
        }
        // Below 2^64 times below 2^192.
        unchecked {
            if (msg.value != quantity * pricePerToken) revert WrongValue(msg.value, quantity * pricePerToken);
        }
        _safeMint(to, quantity);
    }

    /// Mints for free, outside of the window and the limits of wallets and transactions, never beyond the supply.
    function airdrop(address to, uint256 quantity) external onlyOwner {
        _requireSupply(quantity);
        _safeMint(to, quantity);
    }

    /// @param start first second of minting; 0: at once
    /// @param end first second in which minting is over; 0: never
    function setMintWindow(uint48 start, uint48 end) external onlyOwner {
        _setMintWindow(start, end);
        emit MintWindowChanged(start, end);
    }

    /// @param uri put before a token's id; empty: every token shows the collection's own metadata
    function setTokenUri(string calldata uri) external onlyOwner {
        _tokenUri = uri;
        emit IERC4906.BatchMetadataUpdate(_startTokenId(), type(uint256).max);
    }

    /// Sends everything that was paid.
    function withdraw(address payable to) external onlyOwner {
        if (to == address(0)) revert InvalidRecipient(to);
        uint256 amount = address(this).balance;
        emit Withdrawn(to, amount);
        Address.sendValue(to, amount);
    }

    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }

    /// What was minted to a wallet, gifts included, whoever holds the tokens now.
    function numberMinted(address wallet) external view returns (uint256) {
        return _numberMinted(wallet);
    }

    /// EIP-7572: the collection's metadata as a data URI.
    function contractURI() public view returns (string memory) {
        return string(_metadata.code);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        if (!_exists(tokenId)) revert URIQueryForNonexistentToken();
        return bytes(_tokenUri).length == 0 ? contractURI() : string.concat(_tokenUri, _toString(tokenId));
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721A, ERC2981) returns (bool) {
        return interfaceId == bytes4(0x49064906) // ERC-4906 names its id itself: it has no functions.
            || ERC721A.supportsInterface(interfaceId) || ERC2981.supportsInterface(interfaceId);
    }

    function _startTokenId() internal pure override returns (uint256) {
        return 1;
    }

    function _requireSupply(uint256 quantity) private view {
        // Never more was minted than this admits.
        unchecked {
            uint256 remaining = (maxSupply == 0 ? HIGHEST_SUPPLY : maxSupply) - _totalMinted();
            if (quantity > remaining) revert SoldOut(quantity, remaining);
        }
    }

    function _setMintWindow(uint48 start, uint48 end) private {
        if (end != 0 && end <= start) revert InvalidMintWindow(start, end);
        startTime = start;
        endTime = end;
    }

    /// Members that are empty are left out. Base64, because a `#` or `%` in plain text would be read as part of the URI.
    function _dataUri(Config memory config) private pure returns (string memory) {
        string memory json = string.concat(
            '{"name":"',
            Strings.escapeJSON(config.name),
            '","symbol":"',
            Strings.escapeJSON(config.symbol),
            '"',
            _member("description", config.description),
            _member("image", config.image),
            _member("external_link", config.externalLink),
            "}"
        );
        return string.concat("data:application/json;base64,", Base64.encode(bytes(json)));
    }

    function _member(string memory name, string memory value) private pure returns (string memory) {
        return bytes(value).length == 0 ? "" : string.concat(',"', name, '":"', Strings.escapeJSON(value), '"');
    }
}
