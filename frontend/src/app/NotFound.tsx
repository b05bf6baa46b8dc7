import { ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { useTitle } from "@/components/useTitle";

export function NotFound() {
  useTitle("Not found");
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }]} title="No such page" meta="The address leads nowhere." />
      <p>
        <ButtonLink to="/" kind="primary">
          To the start
        </ButtonLink>
      </p>
    </>
  );
}
