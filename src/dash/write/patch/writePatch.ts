// SPDX-License-Identifier: Apache-2.0
// Writes MPD patch documents (ISO/IEC 23009-1 5.15). Their selectors have no prefixes, as players expect.
import { isoText } from '../../../time/isoText.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { utf8Bytes } from '../../../xml/utf8Bytes.ts';
import { element, xmlDeclaration } from '../../../xml/write.ts';

export type PatchFrame = {
  /** MPD@id */
  readonly id: string;
  /** MPD@publishTime before and after the patch. */
  readonly publishedAt: Millis;
  readonly now: Millis;
};

function patch({ id, publishedAt, now }: PatchFrame, changes: readonly string[]): string {
  const attributes = {
    xmlns: 'urn:mpeg:dash:schema:mpd-patch:2020',
    mpdId: id,
    originalPublishTime: isoText(publishedAt),
    publishTime: isoText(now),
  };
  const published = `<replace sel="/MPD/@publishTime">${isoText(now)}</replace>`;
  // The frame as bytes: the changes are copied from an MPD, so they are bytes already.
  const [head] = utf8Bytes(element('Patch', attributes)).split(/\/>$/);
  return `${xmlDeclaration}${head}>\n${[published, ...changes].join('\n')}\n</Patch>`;
}

/**
 * @param location the element of the patched MPD
 * @returns the bytes of the text (utf8Bytes.ts)
 */
export const writePatch = (frame: PatchFrame, location: string, changes: readonly string[]): string =>
  patch(frame, [`<replace sel="/MPD/PatchLocation[1]">${location}</replace>`, ...changes]);

/**
 * A patch after which the player reads the whole MPD at its next update, because nothing is left that names a patch. It is valid
 * for every MPD with this id. An error response instead would stop the updates of dash.js 5.2, and Shaka Player 5.2 would repeat
 * the request until the location expires.
 */
export const writeLastPatch = ({ now, ...frame }: PatchFrame): string =>
  // A patch must be newer than its MPD, also if another process has a clock that is ahead.
  patch({ ...frame, now: millis(Math.max(now, frame.publishedAt + 1)) }, [
    '<remove sel="/MPD/PatchLocation[1]" ws="before"/>',
  ]);
