// SPDX-License-Identifier: Apache-2.0
/** A player of the preview, independent of its library. */
export type Player = {
  /** The position of the picture on the channel's clock; undefined while unknown. */
  pictureAt(): Date | null | undefined;
  stop(): void;
};
/** @param startAt seconds of a VoD stream; undefined for a live one */
export type OpenPlayer = (
  video: HTMLVideoElement,
  url: string,
  onError: (text: string) => void,
  startAt: number | undefined,
) => Promise<Player>;
