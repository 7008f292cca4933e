-- How long a call that submits an activity takes at least, ns.
--
-- 1 us: copies of no bytes return after 0.1 to 0.4 us (mergeSort of cuda-samples, H100), and the quickest call that submitted
-- something after 1.2 us (a memset of resnet50; 170 traces).
CREATE MACRO submits_ns() AS 1000;
