import { useEffect, useRef } from 'preact/hooks';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Loads the next page when it comes into view; a button for the keyboard. */
export const More = ({ pages }: { readonly pages: Pages }) => {
  const button = useRef<HTMLButtonElement>(null);
  const { hasNextPage, isFetchingNextPage } = pages;
  useEffect(() => {
    const element = button.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) pages.fetchNextPage();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, pages]);
  if (!hasNextPage) return null;
  return (
    <div class="more">
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
  );
};
