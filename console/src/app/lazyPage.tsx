// SPDX-License-Identifier: Apache-2.0
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../api/apiError.ts';
import { Loading } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';

type PageComponent = () => VNode;

/** A page whose code is loaded when it is opened. */
export function lazyPage(load: () => Promise<PageComponent>): PageComponent {
  let loaded: PageComponent | undefined;
  return function LazyPage() {
    const [Page, setPage] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (loaded !== undefined) return;
      load()
        .then((page) => {
          loaded = page;
          setPage(() => page);
        })
        .catch(setError);
    }, []);
    if (error !== undefined) return <Notice tone="bad">This page could not be loaded: {errorMessage(error)}</Notice>;
    return Page === undefined ? <Loading /> : <Page />;
  };
}
