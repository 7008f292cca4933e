-- Macro `launches_kernel`: whether a call of this name, as in call_families, launches a kernel.
CREATE MACRO launches_kernel(name) AS regexp_matches(name, '^cu(da)?Launch(Kernel|Cooperative)');
