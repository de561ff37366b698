// SPDX-License-Identifier: Apache-2.0
// The port to the store of conditioned media, a folder on disk. Implemented by adapters/media.
import type { Millis } from '../../time/units.ts';
import type { PackagedMedia } from './packagedMedia.ts';

/** A folder in which media are made. They are not in the store until they are published. No other process uses it. */
export type MediaDraft = {
  readonly folder: string;
  /** A file of the media, written sequentially. Closing it flushes it to disk. */
  create(name: string): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  /** Adds the media to the store under their own id, atomically. Does nothing if they exist already. */
  publish(packaged: PackagedMedia): Promise<void>;
  /** Deletes the folder. Does nothing after publishing. */
  discard(): Promise<void>;
};

export type MediaStore = {
  /** Media by their own id or by an alias. Reads one or two small files the first time. */
  find(id: string): PackagedMedia | undefined;
  /** The folder that contains the files. */
  folderOf(id: string): string | undefined;
  /** A new folder, even if another draft with this id exists. */
  open(id: string): Promise<MediaDraft>;
  /** Makes `name` an alias of the media `id`. */
  name(name: string, id: string): Promise<void>;
  /** Removes an alias. The media remain available under their id. */
  unname(name: string): Promise<void>;
  /** Deletes old media if space is needed. @returns why there is no space for more, or undefined if there is */
  full(): Promise<string | undefined>;
  /** When the media were last played, to the hour. */
  usedAt(id: string): Promise<Millis | undefined>;
};
