import { useEffect, useRef } from 'preact/hooks';
import type { FrameMessage, PlayerName, PlayMessage } from '../preview/messages.ts';

type PreviewFrameProps = {
  readonly url: string;
  readonly player: PlayerName;
  onMessage(message: FrameMessage): void;
};

/** Plays an address in a frame without the console's rights. */
export function PreviewFrame({ url, player, onMessage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameMessage>) => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner) return;
      // Its origin is opaque, so it can be named by nothing but `*`.
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
      title="Preview of the channel"
      sandbox="allow-scripts"
      allow="autoplay; fullscreen"
    />
  );
}
