// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import type { FrameMessage, PlayerName, PlayMessage } from '../preview/messages.ts';

type PreviewFrameProps = {
  readonly url: string;
  readonly player: PlayerName;
  onMessage(message: FrameMessage): void;
};

/** Plays a URL in a sandboxed frame without access to the console. */
export function PreviewFrame({ url, player, onMessage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameMessage>) => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner) return;
      // The frame has an opaque origin, which only `*` matches.
      if (data.type === 'ready') inner.postMessage({ type: 'play', url, player } satisfies PlayMessage, '*');
      onMessage(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [url, player, onMessage]);
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
