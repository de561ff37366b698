// SPDX-License-Identifier: Apache-2.0
// Stores of blobs: the object store of conditioned media, and containers to which players are redirected. Implemented in
// src/adapters/cloud.
import type { ExchangeError } from '../ads/request/ports.ts';
import type { Millis } from '../time/units.ts';

/** `reason` is a predicate of the storage account, without secrets. */
export type CloudResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string; readonly error?: ExchangeError; readonly status?: number };

export type Blob = { readonly name: string; readonly bytes: number; readonly modifiedAt: Millis };

/**
 * A folder of a container, or of a disk, that holds small blobs by name. Names are relative to it: letters, digits, and
 * `/`, `.`, `-`, `_`. A blob that `put` has stored is listed and read at once.
 */
export type BlobStore = {
  /** Creates the container if it does not exist. */
  create(): Promise<CloudResult<void>>;
  /** Atomic. Replaces a blob of the same name. */
  put(name: string, bytes: Uint8Array, contentType: string): Promise<CloudResult<void>>;
  /** @returns undefined if the blob does not exist */
  get(name: string): Promise<CloudResult<Uint8Array | undefined>>;
  /**
   * All blobs whose names start with `prefix`, ordered by name. A failure with status 404 if the container does not exist.
   * @param onProgress called for each page that has arrived
   */
  list(prefix: string, onProgress?: () => void): Promise<CloudResult<Blob[]>>;
  /** Succeeds if the blob does not exist. */
  remove(name: string): Promise<CloudResult<void>>;
};

/** A store to which players can be redirected. */
export type BlobContainer = BlobStore & {
  /** Creates the container if it does not exist, and lets players in browsers read from it. */
  prepare(): Promise<CloudResult<void>>;
  /** Reads from the container as a player in a browser does. */
  probe(): Promise<CloudResult<void>>;
  /** The URL of a blob for players. It stays the same for some hours, and is valid for some hours more. */
  urlOf(name: string, now: Millis): Promise<string>;
};

/** The container to which players are redirected for all channels that have none of their own. */
export type SharedContainer = {
  /** `location` identifies the container; `container` is its name, for the log. */
  readonly target: { readonly location: string; readonly container: string };
  readonly container: BlobContainer;
};
