// A player of the preview, whichever it is.
export type Player = {
  /** Where the picture is on the channel's clock; undefined until that is known. */
  pictureAt(): Date | null | undefined;
  stop(): void;
};
export type OpenPlayer = (video: HTMLVideoElement, url: string, onError: (text: string) => void) => Promise<Player>;
