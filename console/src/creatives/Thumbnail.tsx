// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { callBlob } from '../api/call.ts';
import { Icon } from '../components/icons/Icon.tsx';

/** An image that requires the API key, so it is fetched and shown from memory. */
export function Thumbnail({ path }: { readonly path: string | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (path === undefined) return;
    const controller = new AbortController();
    let objectUrl: string | undefined;
    callBlob(path, { accept: 'image/*', signal: controller.signal }).then(
      (blob) => {
        if (controller.signal.aborted) return;
        objectUrl = URL.createObjectURL(blob);
        setUrl(objectUrl);
      },
      // The icon stays in place of a missing image.
      () => {},
    );
    return () => {
      controller.abort();
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [path]);
  return <div class="thumbnail">{url === undefined ? <Icon name="creatives" /> : <img src={url} alt="" />}</div>;
}
