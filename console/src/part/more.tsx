import { useEffect, useRef } from 'preact/hooks';
import { Problem } from './action.js';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: Error | null;
  fetchNextPage(): unknown;
}

/** Loads the next page when it comes into view; a button for the keyboard, and after a failure. */
export const More = ({ pages }: { readonly pages: Pages }) => {
  const button = useRef<HTMLButtonElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  useEffect(() => {
    const element = button.current;
    // The button may stay in view, and an observer reports that at once, so it would ask again and again.
    if (element === null || isFetchingNextPage || isFetchNextPageError) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) pages.fetchNextPage();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, pages]);
  if (!hasNextPage) return null;
  return (
    <div class="more form">
      <Problem text={isFetchNextPageError ? pages.error?.message : undefined} />
      <div>
        <button
          ref={button}
          type="button"
          class="button"
          disabled={isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading' : 'Show more'}
        </button>
      </div>
    </div>
  );
};
