// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import type { FrameMessage, PlayerName, PlayMessage, SeekMessage } from '../preview/messages.ts';

type PreviewFrameProps = {
  readonly url: string;
  readonly player: PlayerName;
  /** Of VoD: seconds of the stream. */
  readonly startAt?: number | undefined;
  /** Each new value seeks. */
  readonly seek?: SeekMessage | undefined;
  onMessage(message: FrameMessage): void;
};

/** Plays a URL in a sandboxed frame without access to the console. */
export function PreviewFrame({ url, player, startAt, seek, onMessage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameMessage>) => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner) return;
      // The frame has an opaque origin, which only `*` matches.
      const start = startAt === undefined ? {} : { startAt };
      if (data.type === 'ready') inner.postMessage({ type: 'play', url, player, ...start } satisfies PlayMessage, '*');
      onMessage(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [url, player, startAt, onMessage]);
  useEffect(() => {
    if (seek !== undefined) frame.current?.contentWindow?.postMessage(seek, '*');
  }, [seek]);
  return (
    <iframe
      ref={frame}
      src="preview.html"
      title="Channel preview"
      sandbox="allow-scripts"
      allow="autoplay; fullscreen"
    />
  );
}
