// SPDX-License-Identifier: Apache-2.0
// Which part of a list of playlists or channels is read, and in which order.
export type SortField = 'createdAt' | 'modifiedAt' | 'name';

/** The position of the last item of a page. */
export type ListCursor = {
  /** What the list is sorted by; null for the order of creation. */
  readonly key: string | null;
  readonly seq: number;
};

export type Listing = {
  readonly offset: number;
  readonly limit: number;
  /** Default: newest first. */
  readonly sort?: { readonly field: SortField; readonly isDescending: boolean };
  /** Continues after it, in place of `offset`. */
  readonly after?: ListCursor;
  /** Occurs in the id or the name; case-insensitive. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  /** Of a playlist its status, of a channel its stored state. */
  readonly status?: string | undefined;
  readonly playlistId?: string | undefined;
};

export type Listed<Item> = {
  /** On all pages. */
  readonly total: number;
  readonly items: readonly Item[];
  /** Undefined if the page is not full. */
  readonly next?: ListCursor | undefined;
};

/** The name of a record, by its id. */
export type RecordNames = ReadonlyMap<string, string>;
