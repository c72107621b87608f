import { skeletonVariants } from '@/components/ui/skeleton';
/** Has the same layout as the profile. */
export function ProfileSkeleton() {
  return (
    <div data-slot="skeleton" aria-hidden="true">
      <div className={skeletonVariants({ radius: '2xl', className: 'mt-3 h-80' })} />
      <div className="grid grid-cols-[288px_minmax(0,1fr)] gap-11">
        <div>
          <div
            className={skeletonVariants({
              radius: 'full',
              className: 'relative -mt-28 ml-5 size-56 border-8 border-background',
            })}
          />
          <div className={skeletonVariants({ radius: 'xl', className: 'mt-4 h-62' })} />
        </div>
        <div className="pt-5.5">
          <div className="flex items-center justify-between gap-3">
            <div className={skeletonVariants({ className: 'h-12 w-[44%]' })} />
            <div className={skeletonVariants({ className: 'h-11 w-51.5' })} />
          </div>
          <div className={skeletonVariants({ className: 'mt-1.5 h-7.5 w-[36%]' })} />
          <div className={skeletonVariants({ className: 'mt-5 h-15 w-4/5' })} />
          <div className={skeletonVariants({ className: 'mt-5 h-12 w-[90%]' })} />
          <div className={skeletonVariants({ className: 'mt-12 mb-4 h-9 w-[38%]' })} />
          <div className={skeletonVariants({ className: 'h-70' })} />
        </div>
      </div>
    </div>
  );
}
