import { useEffect, useState } from 'preact/hooks';
import { callBlob } from '../api/call.ts';
import { Icon } from '../parts/Icon.tsx';

/** A picture that wants the key, so it is fetched and shown from memory. */
export function Thumbnail({ path }: { readonly path: string | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (path === undefined) return;
    const controller = new AbortController();
    let made: string | undefined;
    callBlob(path, { accept: 'image/*', signal: controller.signal }).then(
      (blob) => {
        if (controller.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      // Without a picture the card says all the same.
      () => {},
    );
    return () => {
      controller.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [path]);
  return <div class="thumbnail">{url === undefined ? <Icon name="creatives" /> : <img src={url} alt="" />}</div>;
}
