// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Many reads in one call, none of which can spoil the others
/// @notice Never deployed: its creation code is sent as an `eth_call` without `to`, and what the constructor returns is
/// the answer. Against Multicall3 it bounds what a target may cost: gas, and how much of its answer is copied.
///
/// `reads` is a list of records: target (20 bytes), length n of the call data (1 byte), call data (n bytes). A record
/// without call data asks for the target's balance of the native coin.
/// The answer is the byte 0x01 (a contract cannot begin with 0xef, EIP-3541), then for each record: the length of the
/// data (2 bytes) and the data. The length 0xffff stands for a call that failed, that answered nothing, or more than
/// `maxAnswer` bytes; 0xfffe for one that was not begun because too little gas was left.
contract BoundedRead {
    constructor(bytes memory reads, uint256 gasEach, uint256 maxAnswer) {
        assembly ("memory-safe") {
            let answer := mload(0x40)
            let out := add(answer, 1)
            mstore8(answer, 1)
            let at := add(reads, 0x20)
            let end := add(at, mload(reads))
            for {} lt(at, end) {} {
                let target := shr(96, mload(at))
                let size := byte(0, mload(add(at, 20)))
                at := add(at, 21)
                let length := 0xffff
                switch size
                case 0 {
                    length := 32
                    mstore(add(out, 2), balance(target))
                }
                default {
                    // What must be left: one sixty-fourth of the read's gas (EIP-150), 200 for each byte of the answer,
                    // which counts as the code of a new contract, and the marks of the records that follow.
                    switch gt(
                        gas(),
                        add(
                            add(add(gasEach, shr(5, gasEach)), add(mul(20, sub(end, at)), 50000)),
                            mul(210, add(sub(out, answer), maxAnswer))
                        )
                    )
                    case 0 { length := 0xfffe }
                    default {
                        if staticcall(gasEach, target, at, size, 0, 0) {
                            // Nothing, or too much, is no answer.
                            if lt(sub(returndatasize(), 1), maxAnswer) {
                                length := returndatasize()
                                returndatacopy(add(out, 2), 0, length)
                            }
                        }
                    }
                }
                at := add(at, size)
                mstore8(out, shr(8, length))
                mstore8(add(out, 1), length)
                out := add(out, 2)
                if lt(length, 0xfffe) { out := add(out, length) }
            }
            return(answer, sub(out, answer))
        }
    }
}
