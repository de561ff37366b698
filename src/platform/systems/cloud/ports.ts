// SPDX-License-Identifier: Apache-2.0
// What this module needs from outside: containers of blobs, the list of publications, and the media that Midroll serves.
import type { ExchangeError } from '../../../ads/request/ports.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { Millis } from '../../../time/units.ts';
import type { CloudTarget } from './cloudTarget.ts';

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

export type OpenContainer = (target: CloudTarget) => Promise<BlobContainer>;

/** A creative at a length of `frames`, in a container. */
export type Publication = {
  readonly location: string;
  readonly edition: string;
  readonly frames: number;
};

export type PublicationState = 'wanted' | 'published' | 'going';

export type PublicationRow = Publication & {
  readonly state: PublicationState;
  readonly objects: number;
  readonly bytes: number;
  readonly tries: number;
  /** When it is to be processed. A claim moves this forward. */
  readonly dueAt: Millis;
  readonly usedAt: Millis;
  readonly changedAt: Millis;
};

/** The result of the latest check of a container by any process. */
export type ContainerState = {
  readonly location: string;
  /** Why players cannot be redirected to it. Absent if they can. */
  readonly reason?: string;
  readonly checkedAt: Millis;
};

export type PublicationStore = {
  /** Records that a creative is used. A new publication gets the state `wanted`. */
  want(publication: Publication, now: Millis): Promise<void>;
  /** Publications in the states `wanted` and `going` that are due. */
  due(locations: readonly string[], now: Millis, limit: number): Promise<PublicationRow[]>;
  /** @returns false if another process has claimed it */
  claim(row: PublicationRow, until: Millis): Promise<boolean>;
  /** Stores the outcome. */
  settle(row: PublicationRow, change: Partial<Omit<PublicationRow, keyof Publication>>): Promise<void>;
  forget(publication: Publication): Promise<void>;
  /** The number of publications in each state. */
  tally(location: string): Promise<{ readonly waiting: number; readonly published: number }>;
  all(location: string): Promise<PublicationRow[]>;
  changedSince(at: Millis): Promise<PublicationRow[]>;
  noteState(state: ContainerState): Promise<void>;
  states(): Promise<ContainerState[]>;
};

/** The media that Midroll serves. */
export type ServedMedia = {
  find(mediaId: string): PackagedMedia | undefined;
  /** Makes media known to `find` that other nodes have made. @returns false if the store of media does not respond */
  load(mediaIds: readonly string[]): Promise<boolean>;
  openSegment(
    mediaId: string,
    frames: string,
    rungId: string,
    name: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Keeps media from being deleted that players are redirected to elsewhere. */
  markUsed(mediaId: string): void;
};
