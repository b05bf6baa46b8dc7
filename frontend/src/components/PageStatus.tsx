import type { UseQueryResult } from "@tanstack/react-query";
import type { Crumb } from "./Breadcrumb";
import { PageHead } from "./PageHead";
import { Failure, Loading } from "./Status";

interface Props {
  query: Pick<UseQueryResult, "data" | "error" | "refetch">;
  crumbs: readonly Crumb[];
  title: string;
  label: string;
}

/** A page whose query has no data: a placeholder while it is loaded, or the error below the page's head. */
export function PageStatus({ query: { data, error, refetch }, crumbs, title, label }: Props) {
  if (data !== undefined || !error) return <Loading label={label} rows={8} />;
  return (
    <>
      <PageHead crumbs={crumbs} title={title} />
      <Failure error={error} retry={() => void refetch()} />
    </>
  );
}
