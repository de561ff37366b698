// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import type { TryPage, TryPageProps } from './TryPage.tsx';

/** The page of a try, which is loaded when it is opened. */
export function LazyTry(props: TryPageProps) {
  const [Page, setPage] = useState<typeof TryPage>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    import('./TryPage.tsx').then(
      (loaded) => setPage(() => loaded.TryPage),
      () => setFailed(true),
    );
  }, []);
  if (hasFailed) return <Notice tone="bad">Midroll is unreachable. Reload the page.</Notice>;
  return Page === undefined ? <Loading /> : <Page {...props} />;
}
