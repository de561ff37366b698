// SPDX-License-Identifier: Apache-2.0
// The port to the store of conditioned media: a folder on disk, or an object store. Implemented by adapters/media.
import type { Millis } from '../../time/units.ts';
import type { PackagedMedia } from './packagedMedia.ts';

/** A folder in which media are made. They are not in the store until they are published. No other process uses it. */
export type MediaDraft = {
  readonly folder: string;
  /** A file of the media, written sequentially. Closing it flushes it to disk. */
  create(name: string): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  /** Adds the media to the store under their own id, completely or not at all. Does nothing if they exist already. */
  publish(packaged: PackagedMedia): Promise<void>;
  /** Deletes the folder. Does nothing after publishing. */
  discard(): Promise<void>;
};

export type MediaStore = {
  /** Media by their own id or by an alias, as far as this process can tell at once. Reads one or two small files the first time. */
  find(id: string): PackagedMedia | undefined;
  /**
   * Looks for media, by their own ids or by aliases, that `find` does not find because another node has published them. Waits
   * for some seconds at most.
   * @returns false if the store does not respond: what `find` does not find may exist nevertheless
   */
  load(ids: readonly string[]): Promise<boolean>;
  /** Calls `work` with a folder that contains these files. @returns undefined if the media do not exist */
  inFolder<Value>(
    id: string,
    files: readonly string[],
    work: (folder: string) => Promise<Value>,
  ): Promise<Value | undefined>;
  /** A new folder, even if another draft with this id exists. */
  open(id: string): Promise<MediaDraft>;
  name(name: string, id: string): Promise<void>;
  /** Removes an alias. The media remain available under their id. */
  unname(name: string): Promise<void>;
  /** Deletes old media if space is needed. @returns why there is no space for more, or undefined if there is */
  full(): Promise<string | undefined>;
  /** When the media were last played, to the hour. */
  usedAt(id: string): Promise<Millis | undefined>;
};
